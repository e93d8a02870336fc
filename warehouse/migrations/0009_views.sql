-- One row per view of sql/views as it was made last: a hash of its text, the place of the lake included.
create table ops.views_made (
    view_name varchar primary key,
    sha256 varchar not null
);
