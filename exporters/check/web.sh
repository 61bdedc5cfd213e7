# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Apache httpd before PHP-FPM, MariaDB beside them, node_exporter. The programs are Debian's, as installed.

check_web() {
	local debian program
	debian=$("$root/tools/debian.sh" prometheus-apache-exporter prometheus-mysqld-exporter prometheus-node-exporter)
	for program in apache2 php-fpm8.2 mariadbd; do
		PATH=$PATH:/usr/sbin:$debian/usr/sbin command -v $program >/dev/null ||
			fail "$program is missing: apt-get install apache2 php-fpm mariadb-server"
	done
	local path=$PATH:/usr/sbin:$debian/usr/sbin
	mkdir -p "$work/site"
	echo '<?php usleep(2000); echo str_repeat("x", 2000);' >"$work/site/index.php"

	cat >"$work/fpm.conf" <<-END
		[global]
		daemonize = no
		error_log = $work/fpm-errors.log
		[web]
		user = $(id -un)
		listen = 127.0.0.1:29000
		pm = static
		pm.max_children = 3
	END
	sed 's/127.0.0.1:9253/127.0.0.1:29001/' "$exporters/php-fpm/pool.conf" >>"$work/fpm.conf"
	PATH=$path PHP_INI_SCAN_DIR='' start fpm php-fpm8.2 --allow-to-run-as-root -n -y "$work/fpm.conf"

	{
		echo "ServerRoot $work"
		local module
		for module in mpm_event authz_core authz_host status proxy proxy_fcgi; do
			echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
		done
		cat <<-END
			PidFile httpd.pid
			ErrorLog httpd-errors.log
			ServerName localhost
			User www-data
			Group www-data
			Listen 127.0.0.1:29080
			Mutex pthread
			DocumentRoot $work/site
			Define FPM_STATUS 127.0.0.1:29001
			<Directory $work/site>
			  Require all granted
			</Directory>
			<FilesMatch "\.php\$">
			  SetHandler "proxy:fcgi://127.0.0.1:29000"
			</FilesMatch>
			Include $exporters/apache/status.conf
			Include $exporters/php-fpm/httpd.conf
		END
	} >"$work/httpd.conf"
	PATH=$path start httpd apache2 -f "$work/httpd.conf" -DFOREGROUND

	start_mariadb 29306
	sed 's/\(IDENTIFIED BY \).*/\1'"'check'"';/' "$exporters/mysqld/account.sql" |
		mariadb --no-defaults -S "$work/socket" -u root
	mariadb --no-defaults -S "$work/socket" -u root -e 'create database shop;
		create table shop.orders (id int auto_increment primary key, text varchar(99))'
	printf '%s\n' '[client]' host=127.0.0.1 port=29306 user=exporter password=check >"$work/exporter.cnf"

	LISTEN=127.0.0.1:29504 MY_CNF=$work/exporter.cnf PROGRAM=$debian/usr/bin/prometheus-mysqld-exporter \
		start mysqld-exporter "$exporters/mysqld/start.sh"
	LISTEN=127.0.0.1:29505 STATUS='http://127.0.0.1:29080/server-status?auto' \
		PROGRAM=$debian/usr/bin/prometheus-apache-exporter start apache-exporter "$exporters/apache/start.sh"
	LISTEN=127.0.0.1:29506 PROGRAM=$debian/usr/bin/prometheus-node-exporter \
		start node-exporter "$exporters/node/start.sh"
	start load web_load
	await 60 curl -fs 127.0.0.1:29080/index.php
	await 60 curl -fs 127.0.0.1:29504/metrics
	await 60 curl -fs 127.0.0.1:29505/metrics
	await 60 curl -fs 127.0.0.1:29506/metrics
	sleep 2
	local when
	for when in before after; do
		$when apache 127.0.0.1:29505/metrics
		$when php-fpm '127.0.0.1:29080/fpm-status?openmetrics'
		$when mysqld 127.0.0.1:29504/metrics
		$when node 127.0.0.1:29506/metrics
		[ $when = after ] || sleep 10
	done
	judge apache apache/series.txt
	judge php-fpm php-fpm/series.txt
	judge mysqld mysqld/series.txt
	judge node node/series.txt
}

# start_mariadb PORT starts an empty MariaDB; root needs no password on $work/socket.
start_mariadb() {
	mariadb-install-db --no-defaults --auth-root-authentication-method=normal --user="$(id -un)" --datadir="$work/db" \
		--skip-test-db >"$work/install.log" 2>&1 || fail "mariadb-install-db; see $work/install.log"
	PATH=$PATH:/usr/sbin start mariadb mariadbd --no-defaults --datadir="$work/db" --socket="$work/socket" --port="$1" \
		--bind-address=127.0.0.1 --performance-schema=ON --user="$(id -un)"
	await 60 mariadb --no-defaults -S "$work/socket" -u root -e 'select 1'
}

# web_load asks for pages and makes statements, one of them wrong and one of them slow.
web_load() {
	(while :; do curl -s 127.0.0.1:29080/index.php 127.0.0.1:29080/index.php >/dev/null || sleep 1; done) &
	# shellcheck disable=SC2064
	trap "kill $!; exit" TERM
	while :; do
		mariadb --no-defaults -f -S "$work/socket" -u root shop 2>/dev/null <<-END
			set long_query_time = 0.1;
			insert into orders (text) values ('a'), ('b');
			update orders set text = 'c' where id = 1;
			select * from orders limit 10;
			select sleep(0.2);
			select nonsense from orders;
		END
	done
}
