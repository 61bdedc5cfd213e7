-- SPDX-License-Identifier: Apache-2.0
--
-- What is in the forge, always the same: 50 users with a public repository each, 8,000 issues and 40,000 comments. Gitea has made
-- the tables.

CREATE TABLE texts AS
	SELECT n, '**' || words || E'** in `' || md5(n::text) || E'`:\n\n* ' || words || E'\n* see #' || 1 + n % 160 || E'\n\n> '
		|| words || E'\n\n' || words || ' ' || words AS text
	FROM (SELECT n, string_agg(a || b, ' ' ORDER BY i) AS words FROM generate_series(1, 1000) n, generate_series(1, 12) i,
		LATERAL (SELECT (array['ba','ke','lo','mi','ta','ru','sen','vo'])[1 + abs(hashint8(n * 100 + i)) % 8] a,
			(array['di','pel','no','shi','fu','tor','ka','gu'])[1 + abs(hashint8(n * 100 + i + 50)) % 8] b) w
		GROUP BY n) t;

INSERT INTO "user" (id, lower_name, name, full_name, email, passwd, avatar, avatar_email, use_custom_avatar, type, is_active,
		is_admin, num_repos, created_unix, updated_unix)
	SELECT i, 'user' || i, 'user' || i, 'User Number ' || i, 'user' || i || '@localhost', '', md5('user' || i), '', true, 0, true,
		false, 1, 1700000000, 1700000000 FROM generate_series(1, 50) i;

INSERT INTO repository (id, owner_id, owner_name, lower_name, name, description, default_branch, num_watches, num_stars, num_forks,
		num_issues, num_closed_issues, num_pulls, num_closed_pulls, is_private, is_empty, is_archived, is_mirror, trust_model,
		fork_id, template_id, topics, avatar, created_unix, updated_unix)
	SELECT i, i, 'user' || i, 'project', 'project', (SELECT left(text, 60) FROM texts WHERE n = i), 'main', 0, 0, 0, 160, 32, 0, 0,
		false, false, false, false, 0, 0, 0, '[]', '', 1700000000, 1700000000 + i FROM generate_series(1, 50) i;
INSERT INTO repo_unit (repo_id, type, config, created_unix)
	SELECT i, t, '{}', 1700000000 FROM generate_series(1, 50) i, generate_series(1, 5) t;
INSERT INTO label (id, repo_id, org_id, name, exclusive, description, color, num_issues, num_closed_issues)
	SELECT 4 * (i - 1) + l, i, 0, 'label ' || l, false, '', '#20406' || l, 40, 8
	FROM generate_series(1, 50) i, generate_series(1, 4) l;

INSERT INTO issue (id, repo_id, index, poster_id, original_author, original_author_id, name, content, milestone_id, priority,
		is_closed, is_pull, num_comments, ref, deadline_unix, created_unix, updated_unix, closed_unix)
	SELECT i, 1 + i % 50, 1 + (i - 1) / 50, 1 + i % 47, '', 0, left(t.text, 70), t.text, 0, 0, (1 + (i - 1) / 50) % 5 = 0, false, 5, '', 0,
		1700000000 + 600 * i, 1700000000 + 700 * i, CASE WHEN (1 + (i - 1) / 50) % 5 = 0 THEN 1700000000 + 700 * i ELSE 0 END
	FROM generate_series(1, 8000) i JOIN texts t ON t.n = 1 + i % 1000;
INSERT INTO issue_index (group_id, max_index) SELECT i, 160 FROM generate_series(1, 50) i;
INSERT INTO issue_label (issue_id, label_id) SELECT id, 4 * (repo_id - 1) + 1 + index % 4 FROM issue;

-- Every twentieth issue of a repository has 60 comments more than the others' two.
INSERT INTO comment (type, poster_id, original_author, original_author_id, issue_id, label_id, old_project_id, project_id,
		old_milestone_id, milestone_id, assignee_id, removed_assignee, resolve_doer_id, dependent_issue_id, commit_id, line, content,
		created_unix, updated_unix, review_id, invalidated, ref_repo_id, ref_issue_id, ref_comment_id, ref_action, ref_is_pull)
	SELECT 0, 1 + c % 43, '', 0, i.id, 0, 0, 0, 0, 0, 0, false, 0, 0, 0, 0, t.text, 1700000000 + 700 * i.id, 1700000000 + 700 * i.id, 0,
		false, 0, 0, 0, 0, false
	FROM issue i, LATERAL generate_series(1, CASE WHEN i.index % 20 = 1 THEN 62 ELSE 2 END) c, texts t
	WHERE t.n = 1 + (i.id * 7 + c * 13) % 1000;
UPDATE issue SET num_comments = (SELECT count(*) FROM comment c WHERE c.issue_id = issue.id);

DROP TABLE texts;
SELECT setval(pg_get_serial_sequence(quote_ident(t), 'id'), 1000000) FROM unnest('{user,repository,label,issue}'::text[]) t;

-- A statement that reads issues waits for as long as the table of the pause says, once and without computing, and finds none
-- where that is below zero, while prepare.sh lets this policy hold: it holds for the tables' owner, too.
CREATE TABLE pause AS SELECT 0 AS milliseconds;
GRANT SELECT ON pause TO PUBLIC;
CREATE FUNCTION hold() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	length integer := (SELECT milliseconds FROM pause);
BEGIN
	PERFORM pg_sleep(greatest(length, 0) / 1000.0);
	RETURN length >= 0;
END $$;
CREATE POLICY hold ON issue USING ((SELECT hold()));
ALTER TABLE issue FORCE ROW LEVEL SECURITY;
VACUUM ANALYZE;
