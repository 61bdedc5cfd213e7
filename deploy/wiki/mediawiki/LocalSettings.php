<?php
// SPDX-License-Identifier: Apache-2.0
//
// MediaWiki of the wiki: its database by TCP, its caches in Memcached, no mail. prepare.sh replaces what stands between two @.
if (!defined('MEDIAWIKI')) {
    exit;
}
$wgSitename = 'Wiki';
$wgServer = 'http://127.0.0.1:@HTTPD_PORT@';
$wgScriptPath = '';
$wgResourceBasePath = '';
$wgExtensionDirectory = "$IP/extensions-core"; // where Debian's links lead
$wgCacheDirectory = __DIR__ . '/cache';

$wgDBtype = 'mysql';
$wgDBserver = '127.0.0.1:@MARIADB_PORT@';
$wgDBname = 'wiki';
$wgDBuser = 'wiki';
$wgDBpassword = '@PASSWORD@';
$wgSecretKey = hash('sha256', 'secret@PASSWORD@');
$wgEnableEmail = false;

$wgMainCacheType = CACHE_MEMCACHED;
$wgMemCachedServers = ['127.0.0.1:@MEMCACHED_PORT@'];
// Without a parser cache every view of a page translates its text anew.
$wgParserCacheType = getenv('PARSER_CACHE') === '0' ? CACHE_NONE : CACHE_MEMCACHED;

wfLoadSkin('Vector');
wfLoadExtension('ParserFunctions');

// A fault on request: with ?outside=N in the address the page waits N ms for something that is no tier.
$wgHooks['BeforePageDisplay'][] = function ($out) {
    usleep(1000 * max(0, min(5000, $out->getRequest()->getInt('outside'))));
};
