-- SPDX-License-Identifier: Apache-2.0
--
-- The room that user 1 made is an old one: whoever searches in it finds what was written long ago, too. Of these
-- 100,000 messages only the words are kept. Half of them have "first" before "second", half of them behind it, and none
-- has one right behind the other in this order.
INSERT INTO event_search (event_id, room_id, sender, key, vector, origin_server_ts, stream_ordering)
SELECT '$old' || n, (SELECT room_id FROM rooms WHERE creator = '@user1:chat.test'), '@user1:chat.test', 'content.body',
	to_tsvector('english',
		CASE WHEN n % 2 = 0 THEN 'second first ' ELSE 'first and some words more, second ' END || words),
	1700000000000 + n, -n
FROM generate_series(1, 100000) n,
LATERAL (SELECT string_agg(md5(n || '/' || w), ' ') AS words FROM generate_series(1, 12) w) written;
VACUUM ANALYZE;
