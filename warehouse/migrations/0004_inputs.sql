-- One row after the reference tables are filled: a sha256 of everything they were filled from.
create table reference.inputs (
    sha256 varchar not null
);

-- One row if the models are complete: a sha256 of everything they were built from. No row while a build is running.
create table ops.build_inputs (
    sha256 varchar not null
);
