// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Httpd is an Apache httpd with its own directory, two files to serve, and its access log.
type Httpd struct {
	*Process
	Port, StatusPort int
	access           string
}

// Large is the size in bytes of /large: a response of many segments, sent by sendfile. /small fits one segment.
const Large = 300_000

const httpdConf = `
ServerRoot %[1]s
ServerName localhost
PidFile %[1]s/httpd.pid
DefaultRuntimeDir %[1]s
Mutex posixsem
Listen 127.0.0.1:%[2]d
Listen 127.0.0.1:%[3]d
Define MODULES %[4]s
LoadModule mpm_event_module ${MODULES}/mod_mpm_event.so
LoadModule authz_core_module ${MODULES}/mod_authz_core.so
LoadModule status_module ${MODULES}/mod_status.so
User www-data
Group www-data
ServerLimit 2
StartServers 2
ThreadsPerChild 64
ThreadLimit 64
MaxRequestWorkers 128
MinSpareThreads 1
MaxSpareThreads 128
AsyncRequestWorkerFactor 16
DocumentRoot %[1]s/htdocs
EnableSendfile On
KeepAlive On
KeepAliveTimeout 60
MaxKeepAliveRequests 0
ErrorLog %[1]s/error.log
LogFormat "%%{local}p %%s" counted
%[5]s
ExtendedStatus On
<Location /server-status>
  SetHandler server-status
</Location>
%[6]s
`

// Httpd starts Apache httpd; with accessLog it writes a line for every request that it has answered. Lines of
// configuration may be added; in these ${MODULES} is the directory of its modules.
func (b *Bed) Httpd(accessLog bool, more ...string) (*Httpd, error) {
	h := &Httpd{access: b.Path("access.log")}
	var err error
	if h.Port, err = FreePort(); err != nil {
		return nil, err
	}
	if h.StatusPort, err = FreePort(); err != nil {
		return nil, err
	}
	if err := b.pages(); err != nil {
		return nil, err
	}
	log := ""
	if accessLog {
		log = "CustomLog " + h.access + " counted"
	}
	modules, err := modules()
	if err != nil {
		return nil, err
	}
	conf, err := b.Write("httpd.conf", fmt.Sprintf(httpdConf, b.Dir, h.Port, h.StatusPort, modules, log,
		strings.Join(more, "\n")))
	if err != nil {
		return nil, err
	}
	if h.Process, err = b.Start("apache2", "apache2", "-f", conf, "-DFOREGROUND"); err != nil {
		return nil, err
	}
	return h, WaitFor(10*time.Second, func() error {
		if err := h.Ended(); err != nil {
			return err
		}
		_, err := h.Accesses()
		return err
	})
}

func (b *Bed) pages() error {
	if err := os.Mkdir(b.Path("htdocs"), 0o755); err != nil {
		return err
	}
	if _, err := b.Write("htdocs/small", strings.Repeat("Nstar\n", 50)); err != nil {
		return err
	}
	_, err := b.Write("htdocs/large", strings.Repeat("0123456789", Large/10))
	return err
}

func modules() (string, error) {
	for _, dir := range []string{"/usr/lib/apache2/modules", "/usr/lib64/httpd/modules"} {
		if found, _ := filepath.Glob(dir + "/mod_mpm_event.so"); len(found) > 0 {
			return dir, nil
		}
	}
	return "", errors.New("Apache's modules were not found: is apache2-bin installed?")
}

// URL addresses a page at the measured port.
func (h *Httpd) URL(page string) string { return fmt.Sprintf("http://127.0.0.1:%d/%s", h.Port, page) }

// Accesses is the server's own count of requests (mod_status, Total Accesses), taken at the other port.
func (h *Httpd) Accesses() (int64, error) {
	return Accesses(fmt.Sprintf("http://127.0.0.1:%d/server-status?auto", h.StatusPort))
}

// Accesses reads Total Accesses from a mod_status page in its machine-readable form. The request for the page itself is
// counted only afterwards.
func Accesses(url string) (int64, error) {
	client := http.Client{Timeout: 5 * time.Second}
	answer, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		if n, ok := strings.CutPrefix(lines.Text(), "Total Accesses: "); ok {
			return strconv.ParseInt(n, 10, 64)
		}
	}
	return 0, fmt.Errorf("%s: no Total Accesses on the page", url)
}

// Logged counts the lines of the access log for the measured port.
func (h *Httpd) Logged() (int64, error) { return h.LoggedAt(h.Port) }

// LoggedAt counts the lines of the access log for a port.
func (h *Httpd) LoggedAt(port int) (int64, error) {
	f, err := os.Open(h.access)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	prefix := strconv.Itoa(port) + " "
	var n int64
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), prefix) {
			n++
		}
	}
	return n, lines.Err()
}

// Processes lists the server's processes: the parent and its children.
func (h *Httpd) Processes() ([]int, error) { return Family(h.PID) }

// Family lists a process and its children.
func Family(pid int) ([]int, error) {
	out := []int{pid}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		text, err := os.ReadFile(t)
		if err != nil {
			continue // the thread has just ended
		}
		for _, field := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				out = append(out, child)
			}
		}
	}
	return out, nil
}
