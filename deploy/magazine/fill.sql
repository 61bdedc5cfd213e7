-- SPDX-License-Identifier: Apache-2.0
--
-- What is in the magazine, always the same: 3,000 posts of some 400 words with 20 tags, and the key that the Content API
-- asks readers for, which is no secret. Names of rows are 24 hexadecimal digits, as Ghost makes them.
SET @owner = (SELECT id FROM users ORDER BY created_at LIMIT 1);
SET @begin = TIMESTAMP('2026-01-01 00:00:00');

INSERT INTO tags (id, name, slug, visibility, created_at, created_by)
SELECT LPAD(HEX(1000000 + seq), 24, '0'), CONCAT('Topic ', seq), CONCAT('topic-', seq), 'public', @begin, @owner
FROM seq_1_to_20;

-- Words of a post: made of its number, so that all differ.
INSERT INTO posts (id, uuid, title, slug, html, plaintext, comment_id, featured, type, status, visibility,
	email_recipient_filter, created_at, created_by, updated_at, updated_by, published_at, published_by)
SELECT id, CONCAT('00000000-0000-4000-8000-', LOWER(LPAD(HEX(n), 12, '0'))), CONCAT('Post ', n), CONCAT('post-', n),
	CONCAT('<p>', REPLACE(words, '. ', '.</p><p>'), '</p>'), words, id, n % 50 = 0, 'post', 'published', 'public', 'all',
	written, @owner, written, @owner, written, @owner
FROM (
	SELECT posts.seq AS n, LPAD(HEX(2000000 + posts.seq), 24, '0') AS id, @begin + INTERVAL posts.seq * 10 MINUTE AS written,
		GROUP_CONCAT(MD5(CONCAT(posts.seq, '/', words.seq)), IF(words.seq % 40 = 0, '.', '')
			ORDER BY words.seq SEPARATOR ' ') AS words
	FROM seq_1_to_3000 posts JOIN seq_1_to_120 words GROUP BY posts.seq
) written;

INSERT INTO posts_tags (id, post_id, tag_id, sort_order)
SELECT LPAD(HEX(3000000 + seq), 24, '0'), LPAD(HEX(2000000 + 1 + (seq - 1) DIV 2), 24, '0'),
	LPAD(HEX(1000001 + seq * 7 % 20), 24, '0'), seq % 2
FROM seq_1_to_6000;

INSERT INTO posts_authors (id, post_id, author_id, sort_order)
SELECT LPAD(HEX(4000000 + seq), 24, '0'), LPAD(HEX(2000000 + seq), 24, '0'), @owner, 0 FROM seq_1_to_3000;

INSERT INTO integrations (id, type, name, slug, created_at, created_by)
VALUES (LPAD('5000000', 24, '0'), 'custom', 'Readers', 'readers', @begin, @owner);
INSERT INTO api_keys (id, type, secret, integration_id, created_at, created_by)
VALUES (LPAD('5000001', 24, '0'), 'content', '0123456789abcdef0123456789', LPAD('5000000', 24, '0'), @begin, @owner);
