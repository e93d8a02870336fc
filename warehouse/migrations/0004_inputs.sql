-- One row once the reference tables were filled: a sha256 of all that decides what is in them.
create table reference.inputs (
    sha256 varchar not null
);

-- One row while the models are whole: a sha256 of all they were built from; none while a build is under way.
create table ops.build_inputs (
    sha256 varchar not null
);
