-- SPDX-License-Identifier: Apache-2.0
--
-- The news site's tables and rows, always the same. psql's variable password is that of the site's account.
DROP DATABASE IF EXISTS news;
DROP ROLE IF EXISTS news;
CREATE ROLE news LOGIN PASSWORD :'password';
CREATE DATABASE news;
\connect news
CREATE TABLE articles (
	id    integer PRIMARY KEY,
	topic integer NOT NULL,
	title text    NOT NULL,
	text  text    NOT NULL
);
CREATE TABLE comments (
	id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	article integer NOT NULL REFERENCES articles,
	text    text    NOT NULL
);
-- Words are numbers in base 16 spelled with letters: texts of 120 words that differ from article to article.
INSERT INTO articles
	SELECT i, i % 50 + 1, 'Article ' || translate(to_hex(i), '0123456789', 'ghijklmnop'),
		(SELECT string_agg(translate(to_hex((i * 7919 + w * 104729) % 4093), '0123456789', 'ghijklmnop'), ' ')
			FROM generate_series(1, 120) AS w)
	FROM generate_series(1, 5000) AS i;
INSERT INTO comments (article, text)
	SELECT i % 5000 + 1, 'Reader ' || i || ' has an opinion about this, too' FROM generate_series(1, 50000) AS i;
CREATE INDEX ON articles (topic, id);
CREATE INDEX ON comments (article, id);
GRANT SELECT ON articles TO news;
GRANT SELECT, INSERT ON comments TO news;
VACUUM ANALYZE;
