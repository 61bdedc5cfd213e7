# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Tomcat with a pool of two connections to MariaDB (tomcat-jdbc), and more requests than these. The programs are
# Debian's.

check_tomcat() {
	local home=/usr/share/tomcat10 base=$work/tomcat
	[ -e $home/bin/bootstrap.jar ] && [ -e /usr/share/java/mariadb-java-client.jar ] ||
		fail "Tomcat is missing: apt-get install tomcat10-common libtomcat10-java libmariadb-java"
	command -v mariadb-install-db >/dev/null || fail "MariaDB is missing: apt-get install mariadb-server"
	start_mariadb 29306
	mariadb --no-defaults -S "$work/socket" -u root -e "create user check_page@localhost identified by 'check'"

	mkdir -p "$base"/{conf,temp,lib} "$base/webapps/page/WEB-INF/classes"
	ln -s /usr/share/java/mariadb-java-client.jar "$base/lib/"
	# shellcheck disable=SC2016 # Tomcat replaces them
	printf '%s\n' 'common.loader="${catalina.base}/lib/*.jar","${catalina.home}/lib/*.jar"' server.loader= \
		shared.loader= >"$base/conf/catalina.properties"
	echo '<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>' >"$base/conf/web.xml"
	cat >"$base/conf/server.xml" <<-END
		<Server port="-1">
		  <Service name="Catalina">
		    <Connector protocol="HTTP/1.1" address="127.0.0.1" port="29083" maxThreads="8"/>
		    <Engine name="Catalina" defaultHost="localhost">
		      <Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false" unpackWARs="false">
		        <Context path="" docBase="page">
		          <Resource name="jdbc/check" type="javax.sql.DataSource"
		                    factory="org.apache.tomcat.jdbc.pool.DataSourceFactory" jmxEnabled="true"
		                    driverClassName="org.mariadb.jdbc.Driver" url="jdbc:mariadb://127.0.0.1:29306/"
		                    username="check_page" password="check"
		                    initialSize="1" minIdle="1" maxIdle="2" maxActive="2"/>
		        </Context>
		      </Host>
		    </Engine>
		  </Service>
		</Server>
	END
	javac --release 17 -cp /usr/share/java/tomcat10-servlet-api.jar -d "$base/webapps/page/WEB-INF/classes" \
		"$here/TomcatPage.java" || fail "the page does not compile"
	start tomcat java -Xmx64m -Xmn8m -XX:+UseSerialGC "$(agent 29604 jmx/tomcat.yml)" \
		-Dcatalina.home=$home -Dcatalina.base="$base" -Djava.io.tmpdir="$base/temp" \
		-cp $home/bin/bootstrap.jar:$home/bin/tomcat-juli.jar org.apache.catalina.startup.Bootstrap start
	await 60 curl -fs 127.0.0.1:29083/page
	start load tomcat_load
	sleep 2
	before tomcat 127.0.0.1:29604/metrics
	sleep 10
	after tomcat 127.0.0.1:29604/metrics
	judge tomcat jmx/series.txt
}

# tomcat_load asks for pages, six at a time, and now and then for one that is not there.
tomcat_load() {
	while :; do
		curl -s -o /dev/null -Z --parallel-max 6 '127.0.0.1:29083/page?[1-200]' \
			-o /dev/null 127.0.0.1:29083/gone || sleep 1
	done
}
