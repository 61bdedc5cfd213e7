-- SPDX-License-Identifier: Apache-2.0
--
-- The exporter's account: server counters and the performance schema, no data.
-- Replace the password. On MySQL write REPLICATION CLIENT for SLAVE MONITOR.
CREATE USER IF NOT EXISTS 'exporter'@'127.0.0.1' IDENTIFIED BY '@EXPORTER_PASSWORD@' WITH MAX_USER_CONNECTIONS 3;
GRANT PROCESS, SLAVE MONITOR ON *.* TO 'exporter'@'127.0.0.1';
GRANT SELECT ON performance_schema.* TO 'exporter'@'127.0.0.1';
