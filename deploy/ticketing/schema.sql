-- SPDX-License-Identifier: Apache-2.0
--
-- The tables and rows of the ticketing, always the same. psql's variable password is that of its account.
DROP DATABASE IF EXISTS ticketing;
DROP ROLE IF EXISTS ticketing;
CREATE ROLE ticketing LOGIN PASSWORD :'password';
CREATE DATABASE ticketing;
\connect ticketing
CREATE TABLE tickets (
	id    integer PRIMARY KEY,
	team  integer NOT NULL,
	title text    NOT NULL,
	text  text    NOT NULL
);
CREATE TABLE notes (
	id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	ticket integer NOT NULL REFERENCES tickets,
	text   text    NOT NULL
);
-- Words are numbers in base 16 spelled with letters: texts of 80 words that differ from ticket to ticket.
INSERT INTO tickets
	SELECT i, i % 40 + 1, 'Ticket ' || translate(to_hex(i), '0123456789', 'ghijklmnop'),
		(SELECT string_agg(translate(to_hex((i * 7919 + w * 104729) % 4093), '0123456789', 'ghijklmnop'), ' ')
			FROM generate_series(1, 80) AS w)
	FROM generate_series(1, 6000) AS i;
INSERT INTO notes (ticket, text)
	SELECT i % 6000 + 1, 'Agent ' || i % 200 || ' has asked the customer again' FROM generate_series(1, 60000) AS i;
CREATE INDEX ON tickets (team, id);
CREATE INDEX ON notes (ticket, id);
GRANT SELECT ON tickets TO ticketing;
GRANT SELECT, INSERT ON notes TO ticketing;
VACUUM ANALYZE;
