<?php
// SPDX-License-Identifier: Apache-2.0
//
// Faults on request, as a must-use plugin: with ?query=N in the address the database takes N ms without computing, as for
// a lock; with ?outside=N the page waits so long for something that is no tier.
add_action('wp', function () {
    global $wpdb;
    $milliseconds = fn($name) => max(0, min(5000, (int) ($_GET[$name] ?? 0)));
    if ($n = $milliseconds('query')) {
        $wpdb->get_var($wpdb->prepare('SELECT SLEEP(%f)', $n / 1000));
    }
    usleep(1000 * $milliseconds('outside'));
});

// The addresses that the users ask for are the right ones: WordPress need not compare them with those that it would give.
remove_action('template_redirect', 'redirect_canonical');
