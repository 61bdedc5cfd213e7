-- SPDX-License-Identifier: Apache-2.0
--
-- The stream's tables: what the consumer writes, and a history, always the same, that a heavy statement reads. psql's
-- variable password is that of the consumer's account.
DROP DATABASE IF EXISTS stream;
DROP ROLE IF EXISTS stream;
CREATE ROLE stream LOGIN PASSWORD :'password';
CREATE DATABASE stream;
\connect stream
CREATE TABLE readings (
	device  integer          NOT NULL,
	value   double precision NOT NULL,
	usual   double precision,
	taken   timestamptz      NOT NULL
);
CREATE INDEX ON readings (device, taken);
-- No index: to know what is usual of a device, all of it has to be read.
CREATE TABLE history (
	device integer          NOT NULL,
	value  double precision NOT NULL
);
INSERT INTO history SELECT i % 1000, i * 7919 % 4093 FROM generate_series(1, 100000) AS i;
GRANT INSERT ON readings TO stream;
GRANT SELECT ON history TO stream;
VACUUM ANALYZE;
