-- SPDX-License-Identifier: Apache-2.0
--
-- What every run begins with: no session of an earlier one, and the index of users by name, unless psql's variable
-- index says that it is lost.
TRUNCATE offline_user_session, offline_client_session;
ALTER TABLE user_entity DROP CONSTRAINT IF EXISTS uk_ru8tt6t700s9v50bu18ws5ha6;
SELECT :'index' = '1' AS indexed \gset
\if :indexed
ALTER TABLE user_entity ADD CONSTRAINT uk_ru8tt6t700s9v50bu18ws5ha6 UNIQUE (realm_id, username);
\endif
VACUUM ANALYZE;
