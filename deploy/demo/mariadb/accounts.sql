-- SPDX-License-Identifier: Apache-2.0
--
-- The application only reads its own tables. The exporter's account is made by
-- exporters/mysqld/account.sql.
CREATE OR REPLACE USER 'bboard'@'127.0.0.1' IDENTIFIED BY '@BBOARD_PASSWORD@';
GRANT SELECT ON bboard.* TO 'bboard'@'127.0.0.1';
