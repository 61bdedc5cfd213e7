-- SPDX-License-Identifier: Apache-2.0
--
-- Makes the one user of each realm many: the same password, hashed once, another name.
CREATE TEMPORARY TABLE model AS
	SELECT u.*, r.name AS realm, CASE r.name WHEN 'shop' THEN 150000 ELSE 200 END AS number
	FROM user_entity u JOIN realm r ON r.id = u.realm_id WHERE u.username = 'user-0';
CREATE TEMPORARY TABLE made AS
	SELECT m.id AS model, m.realm_id, i, md5(m.realm || i)::uuid::text AS id
	FROM model m, generate_series(1, m.number) AS i;
INSERT INTO user_entity (id, email, email_constraint, email_verified, enabled, first_name, last_name, realm_id, username,
		created_timestamp, not_before)
	SELECT n.id, 'user-' || i || '@example.org', 'user-' || i || '@example.org', true, true, 'User', 'Number ' || i,
		n.realm_id, 'user-' || i, m.created_timestamp, 0
	FROM made n JOIN model m ON m.id = n.model;
INSERT INTO credential (id, type, user_id, created_date, secret_data, credential_data, priority)
	SELECT md5('password' || n.id)::uuid::text, c.type, n.id, c.created_date, c.secret_data, c.credential_data, c.priority
	FROM made n JOIN credential c ON c.user_id = n.model;
INSERT INTO user_role_mapping (role_id, user_id)
	SELECT r.role_id, n.id FROM made n JOIN user_role_mapping r ON r.user_id = n.model;
INSERT INTO user_attribute (id, name, value, user_id)
	SELECT md5(a.name || n.id)::uuid::text, a.name, i::text, n.id FROM made n JOIN user_attribute a ON a.user_id = n.model;
