-- Finished activations. `key` stands for a procedure and all it names, `way` for what it asked
-- others and was answered; both with the code of Precis. `used` is when it was last of use.
CREATE TABLE IF NOT EXISTS summaries (
    key BLOB NOT NULL,
    way BLOB NOT NULL,
    trace BLOB NOT NULL,
    kept BLOB NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (key, way)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_use ON summaries (used);
