-- SPDX-License-Identifier: Apache-2.0
--
-- What every run begins with: no session of an earlier one, and the indexes of users by name and of passwords by user,
-- unless psql's variable index says that they are lost.
TRUNCATE offline_user_session, offline_client_session;
ALTER TABLE user_entity DROP CONSTRAINT IF EXISTS uk_ru8tt6t700s9v50bu18ws5ha6;
DROP INDEX IF EXISTS idx_user_credential;
SELECT :'index' = '1' AS indexed \gset
\if :indexed
ALTER TABLE user_entity ADD CONSTRAINT uk_ru8tt6t700s9v50bu18ws5ha6 UNIQUE (realm_id, username);
CREATE INDEX idx_user_credential ON credential (user_id);
\endif
VACUUM ANALYZE;
