<?php
// SPDX-License-Identifier: Apache-2.0
//
// WordPress of the blog: its database where PHP-FPM's configuration says, else by TCP, no work beside the pages, no calls to other machines. prepare.sh replaces
// what stands between two @.
define('DB_NAME', 'blog');
define('DB_USER', 'blog');
define('DB_PASSWORD', '@PASSWORD@');
define('DB_HOST', getenv('DATABASE') ?: '127.0.0.1:@MARIADB_PORT@');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'http://127.0.0.1:@NGINX_PORT@');
define('WP_SITEURL', WP_HOME);
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT',
    'NONCE_SALT'] as $name) {
    define($name, hash('sha256', $name . '@PASSWORD@'));
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
