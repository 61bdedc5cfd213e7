<?php
// SPDX-License-Identifier: Apache-2.0
//
// Roundcube's configuration. prepare.sh replaces @NAME@.
$config = [
    'db_dsnw' => 'mysql://roundcube:@PASSWORD@@127.0.0.1:@MARIADB_PORT@/roundcube',
    'imap_host' => '127.0.0.1:@IMAP_PORT@',
    'des_key' => '@KEY@',
    'plugins' => [],
    'skin' => 'elastic',
    'language' => 'en_US',
    'enable_spellcheck' => false,
    'log_driver' => 'file',
    // The sessions that prepare.sh makes last for half of this, in minutes.
    'session_lifetime' => 525600,
];
