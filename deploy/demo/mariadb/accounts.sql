-- SPDX-License-Identifier: Apache-2.0
--
-- The application only reads its own tables; the exporter only sees counters.
CREATE OR REPLACE USER 'bboard'@'127.0.0.1' IDENTIFIED BY '@BBOARD_PASSWORD@';
GRANT SELECT ON bboard.* TO 'bboard'@'127.0.0.1';

CREATE OR REPLACE USER 'exporter'@'127.0.0.1' IDENTIFIED BY '@EXPORTER_PASSWORD@' WITH MAX_USER_CONNECTIONS 3;
GRANT PROCESS, SLAVE MONITOR ON *.* TO 'exporter'@'127.0.0.1';
GRANT SELECT ON performance_schema.* TO 'exporter'@'127.0.0.1';
