-- One row per view of sql/views: a hash of the text it was last created from, including the path of the lake.
create table ops.views_made (
    view_name varchar primary key,
    sha256 varchar not null
);
