-- SPDX-License-Identifier: Apache-2.0
--
-- What is in the tracker, always the same: 10 public projects with a wiki of 20 pages each, 20 users who wrote 20,000
-- issues and 40,000 notes. Redmine's own tasks have made the tables, and the roles, trackers and states it comes with.

CREATE TABLE syllables AS SELECT row_number() OVER () AS n, a || b AS text
	FROM unnest('{ba,ke,lo,mi,ta,ru,sen,vo}'::text[]) a, unnest('{di,pel,no,shi,fu,tor,ka,gu}'::text[]) b;

-- words are so many words of two or three syllables, which the seed decides on.
CREATE FUNCTION words(seed integer, number integer) RETURNS text LANGUAGE sql STABLE AS $$
	SELECT string_agg(s.text || t.text, ' ' ORDER BY i) FROM generate_series(1, number) i
	JOIN syllables s ON s.n = 1 + abs(hashint8(seed * 1000::bigint + i)) % 64
	JOIN syllables t ON t.n = 1 + abs(hashint8(seed * 1000::bigint + i + 500)) % 64
$$;

INSERT INTO users (id, login, firstname, lastname, status, type, language, created_on, updated_on)
	SELECT 100 + i, 'user' || i, 'User', 'Number ' || i, 1, 'User', 'en', now(), now() FROM generate_series(1, 20) i;

INSERT INTO projects (id, name, identifier, description, is_public, status, lft, rgt, created_on, updated_on)
	SELECT i, 'Project ' || i, 'project-' || i, words(i, 40), true, 1, 2 * i - 1, 2 * i, now(), now()
	FROM generate_series(1, 10) i;
INSERT INTO projects_trackers (project_id, tracker_id) SELECT p.id, t.id FROM projects p, trackers t;
INSERT INTO enabled_modules (project_id, name)
	SELECT p.id, m FROM projects p, unnest('{issue_tracking,wiki,news,calendar,gantt,time_tracking}'::text[]) m;

INSERT INTO issues (id, tracker_id, project_id, subject, description, status_id, priority_id, author_id, assigned_to_id,
		start_date, created_on, updated_on, root_id, lft, rgt, done_ratio)
	SELECT i, (SELECT min(id) FROM trackers) + i % (SELECT count(*) FROM trackers)::integer, 1 + i % 10,
		words(i, 6), words(i, 60), (SELECT min(id) FROM issue_statuses) + i / 7 % 3,
		(SELECT min(id) FROM enumerations WHERE type = 'IssuePriority') + i % 4, 101 + i % 20, 101 + i / 3 % 20,
		current_date - i % 300, now() - i * interval '20 minutes', now() - i * interval '10 minutes', i, 1, 2, i % 10 * 10
	FROM generate_series(1, 20000) i;
INSERT INTO journals (journalized_id, journalized_type, user_id, notes, created_on)
	SELECT 1 + j % 20000, 'Issue', 101 + j % 20, words(j + 100000, 30),
		now() - j * interval '5 minutes'
	FROM generate_series(1, 40000) j;

INSERT INTO wikis (id, project_id, start_page, status) SELECT id, id, 'Wiki', 1 FROM projects;
INSERT INTO wiki_pages (id, wiki_id, title, created_on)
	SELECT i, 1 + i % 10, CASE WHEN i <= 10 THEN 'Wiki' ELSE 'Page_' || i / 10 END, now() FROM generate_series(1, 200) i;
INSERT INTO wiki_contents (page_id, author_id, text, comments, updated_on, version)
	SELECT id, 101, 'h1. ' || words(id, 2) || E'\n\n' || (SELECT string_agg('h2. ' || words(id + 1000 * k, 3) || E'\n\n* *'
		|| words(id + 2000 * k, 10) || E'*\n* _' || words(id + 3000 * k, 10) || E'_\n\n' || words(id + 4000 * k, 60), E'\n\n')
		FROM generate_series(1, 5) k), '', now(), 1
	FROM wiki_pages;

DROP FUNCTION words;
DROP TABLE syllables;
SELECT setval(pg_get_serial_sequence(t, 'id'), 100000)
	FROM unnest('{users,projects,issues,wikis,wiki_pages}'::text[]) t;
VACUUM ANALYZE;
