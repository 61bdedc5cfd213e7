<?php
// SPDX-License-Identifier: Apache-2.0
//
// setup.php DIR installs WordPress in DIR as its own installer does, and writes posts and comments, always the same.
define('WP_INSTALLING', true);
$_SERVER += ['HTTP_HOST' => '127.0.0.1', 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

const POSTS = 2500;
const COMMENTS = 2; // per post

// Nobody knows the password: nobody has to log in. No mail is sent.
function wp_mail() { return true; }
wp_install('Blog', 'admin', 'admin@example.org', true, '', bin2hex(random_bytes(16)));
switch_theme('twentytwentyone');

mt_srand(1);
function words(int $n): string {
    $syllables = ['ba', 'ke', 'lo', 'mi', 'ta', 'ru', 'sen', 'vo', 'di', 'pel', 'no', 'shi', 'fu', 'tor'];
    $out = [];
    for ($i = 0; $i < $n; $i++) {
        $word = '';
        for ($k = mt_rand(1, 3); $k > 0; $k--) {
            $word .= $syllables[mt_rand(0, count($syllables) - 1)];
        }
        $out[] = $word;
    }
    return implode(' ', $out);
}

$wpdb->query('START TRANSACTION');
for ($i = 0; $i < POSTS; $i++) {
    $date = gmdate('Y-m-d H:i:s', 1700000000 + 3600 * $i);
    $wpdb->insert($wpdb->posts, ['post_author' => 1, 'post_date' => $date, 'post_date_gmt' => $date, 'post_title' => words(5),
        'post_content' => words(600), 'post_excerpt' => '', 'post_name' => "post-$i", 'to_ping' => '', 'pinged' => '',
        'post_modified' => $date, 'post_modified_gmt' => $date, 'post_content_filtered' => '', 'comment_count' => COMMENTS]);
    $post = $wpdb->insert_id;
    $wpdb->insert($wpdb->term_relationships, ['object_id' => $post, 'term_taxonomy_id' => 1]);
    for ($k = 0; $k < COMMENTS; $k++) {
        $wpdb->insert($wpdb->comments, ['comment_post_ID' => $post, 'comment_author' => words(2), 'comment_content' => words(40),
            'comment_date' => $date, 'comment_date_gmt' => $date, 'comment_approved' => '1']);
    }
}
$wpdb->query('COMMIT');
wp_update_term_count_now([1], 'category');
