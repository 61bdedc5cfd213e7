// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// A Tomcat that serves files and takes uploads, over AJP alone.
const tomcatServer = `<Server port="-1">
  <Service name="Catalina">
    <Connector protocol="AJP/1.3" address="127.0.0.1" port="%d" secretRequired="false" maxThreads="50" connectionTimeout="-1"/>
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false" createDirs="false">
        <Valve className="org.apache.catalina.valves.AccessLogValve" directory="%s" prefix="requests" suffix=".log"
               rotatable="false" buffered="false" pattern="%%m %%s"/>
        <Context path="" docBase="files" reloadable="false"/>
      </Host>
    </Engine>
  </Service>
</Server>
`

const tomcatFiles = `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
  <servlet>
    <servlet-name>files</servlet-name>
    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param>
  </servlet>
  <servlet-mapping><servlet-name>files</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
</web-app>
`

const ajpFront = `
LoadModule proxy_module ${MODULES}/mod_proxy.so
LoadModule proxy_ajp_module ${MODULES}/mod_proxy_ajp.so
ProxyPass /server-status !
ProxyPass /tried/ ajp://127.0.0.1:%[1]d/tried/ ping=1
ProxyPass /new/ ajp://127.0.0.1:%[1]d/new/ disablereuse=on
ProxyPass / ajp://127.0.0.1:%[1]d/
`

// startAJP is a Tomcat behind Apache httpd, whose connections outlive an exporter; each line of Tomcat's log is a
// request.
func startAJP(b *bed.Bed, _, _ string) (*subject, error) {
	if err := bed.Need("apache2", "java"); err != nil {
		return nil, err
	}
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	if err := startTomcat(b, port); err != nil {
		return nil, err
	}
	httpd, err := b.Httpd(false, fmt.Sprintf(ajpFront, port))
	if err != nil {
		return nil, err
	}
	if err := bed.WaitFor(javaStart, func() error { return bed.Shows(httpd.URL("small")) }); err != nil {
		return nil, err
	}
	s := &subject{name: "ajp", port: port, lasting: true}
	for _, l := range []struct {
		name string
		all  []page
	}{
		{"pages small and large, missing, and heads alone", []page{
			{"GET", "small", 0, 200}, {"GET", "large", 0, 200}, {"GET", "missing", 0, 404}, {"HEAD", "large", 0, 200}}},
		{"uploads of 20 bytes to 1 MB", []page{
			{"PUT", "short", 20, 204}, {"PUT", "upload", 300_000, 204}, {"GET", "small", 0, 200},
			{"PUT", "long", 1_000_000, 204}}},
		{"connections tried by CPING before each request", []page{
			{"GET", "tried/small", 0, 200}, {"PUT", "tried/upload", 300_000, 204}}},
		{"a connection for each request", []page{{"GET", "new/large", 0, 200}, {"PUT", "new/upload", 50_000, 204}}},
		{"a method that the servlet does not know", []page{{"GET", "small", 0, 200}, {"PROPFIND", "small", 0, 501}}},
	} {
		s.loads = append(s.loads, load{
			name: "mod_proxy_ajp, " + l.name, source: "lines of Tomcat's access log",
			answered: lines(b.Path("requests.log"), "$\n"), failed: lines(b.Path("requests.log"), " 5[0-9]{2}$\n"),
			run: func() error { return visit(httpd.URL(""), l.all) },
		})
	}
	return s, nil
}

func startTomcat(b *bed.Bed, port int) error {
	const home = "/usr/share/tomcat10"
	var errs []error
	for _, dir := range []string{"conf", "temp", "lib", "webapps/files/WEB-INF", "webapps/files/tried",
		"webapps/files/new"} {
		errs = append(errs, os.MkdirAll(b.Path(dir), 0o755))
	}
	small, large := strings.Repeat("s", 500), strings.Repeat("l", 200_000)
	for name, content := range map[string]string{
		"conf/server.xml":               fmt.Sprintf(tomcatServer, port, b.Dir),
		"conf/catalina.properties":      `common.loader="${catalina.home}/lib/*.jar"` + "\n",
		"conf/web.xml":                  `<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>` + "\n",
		"webapps/files/WEB-INF/web.xml": tomcatFiles,
		"webapps/files/small":           small,
		"webapps/files/large":           large,
		"webapps/files/tried/small":     small,
		"webapps/files/new/large":       large,
		// these are there, so that each upload is answered alike
		"webapps/files/short": "", "webapps/files/upload": "", "webapps/files/long": "",
		"webapps/files/tried/upload": "", "webapps/files/new/upload": "",
	} {
		_, err := b.Write(name, content)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	_, err := b.Start("tomcat", "java", "-Xmx256m", "-XX:+UseSerialGC", "-Dcatalina.home="+home,
		"-Dcatalina.base="+b.Dir,
		"-Djava.io.tmpdir="+b.Path("temp"), "-cp", home+"/bin/bootstrap.jar:"+home+"/bin/tomcat-juli.jar",
		"org.apache.catalina.startup.Bootstrap", "start")
	return err
}

// page is a request and the status of its answer.
type page struct {
	method, path string
	upload       int // bytes
	status       int
}

const (
	visitors = 8
	visits   = 25 // of each visitor, each to all pages
)

// visit has visitors ask for the pages, on connections that are kept.
func visit(url string, pages []page) error {
	ended := make(chan error, visitors)
	for range visitors {
		go func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport, Timeout: time.Minute}
			var err error
			for i := range visits * len(pages) {
				if err = pages[i%len(pages)].ask(client, url); err != nil {
					break
				}
			}
			ended <- err
		}()
	}
	var errs []error
	for range visitors {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

func (p page) ask(client *http.Client, url string) error {
	request, err := http.NewRequest(p.method, url+p.path, bytes.NewReader(make([]byte, p.upload)))
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != p.status {
		return fmt.Errorf("%s %s: %s", p.method, url+p.path, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
