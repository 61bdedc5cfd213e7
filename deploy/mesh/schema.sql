-- SPDX-License-Identifier: Apache-2.0
--
-- The catalog's table and its rows, always the same. psql's variable password is that of the service's account.
DROP DATABASE IF EXISTS mesh;
DROP ROLE IF EXISTS mesh;
CREATE ROLE mesh LOGIN PASSWORD :'password';
CREATE DATABASE mesh;
\connect mesh
CREATE TABLE items (
	id          integer PRIMARY KEY,
	kind        integer NOT NULL,
	name        text    NOT NULL,
	description text    NOT NULL
);
-- Words are numbers in base 16 spelled with letters: descriptions of 60 words that differ from item to item.
INSERT INTO items
	SELECT i, i % 50, 'Item ' || translate(to_hex(i), '0123456789', 'ghijklmnop'),
		(SELECT string_agg(translate(to_hex((i * 7919 + w * 104729) % 4093), '0123456789', 'ghijklmnop'), ' ')
			FROM generate_series(1, 60) AS w)
	FROM generate_series(1, 10000) AS i;
CREATE INDEX ON items (kind, id);
GRANT SELECT ON items TO mesh;
VACUUM ANALYZE;
