// SPDX-License-Identifier: Apache-2.0

package programs

import (
	"strings"
	"testing"
)

func TestCode(t *testing.T) {
	for line, want := range map[string]string{
		"java -Xmx64m -jar /srv/freight/gateway-1.2.jar --port=8080":        "gateway-1.2.jar",
		"java -cp a.jar:b.jar -Dpassword=secret com.example.Freight 8081":   "com.example.Freight",
		"java --add-opens java.base/java.lang=ALL-UNNAMED -cp . Main":       "Main",
		"java -p mods -m shop/com.example.Main":                             "shop/com.example.Main",
		"java @options com.example.Main":                                    "com.example.Main",
		"java -version":                                                     "",
		"java -jar":                                                         "",
		"python3.11 -u /srv/freight/consumer.py --token secret":             "freight/consumer.py",
		"python3 -m http.server 8000":                                       "http.server",
		"python3 -W ignore app.py":                                          "app.py",
		"python3 -c import_secret":                                          "",
		"python3 /usr/bin/gunicorn -w 4 -b localhost:8000 shop:app":         "shop:app",
		"python3 /usr/bin/gunicorn -b 127.0.0.1:8000 -c conf.py":            "bin/gunicorn",
		"python3 -m uvicorn --workers 2 shop.api:create()":                  "shop.api:create()",
		"python3 -m uvicorn --header Token:secret --port=80 shop:app":       "shop:app",
		"python3 -m uvicorn --header Token:secret":                          "uvicorn",
		"python3 manage.py shop:app":                                        "manage.py",
		"node --max-old-space-size=64 -r ./tracing.js /srv/orders/index.js": "orders/index.js",
		"bun run src/index.ts":                                              "src/index.ts",
		"deno run --allow-net main.ts":                                      "main.ts",
		"ruby -I lib bin/server":                                            "bin/server",
		"perl /usr/bin/starman --workers 4":                                 "bin/starman",
		"php8.2 -d a=b -S 127.0.0.1:80 router.php":                          "router.php",
		"php -f /srv/worker.php":                                            "srv/worker.php",
		"beam.smp -K true -- -root /usr/lib/erlang -- -home / -- -noshell -pa ebin -s prices start": "prices",
		"beam.smp -- -progname erl -- -yaws debug -run yaws -conf yaws.conf":                        "yaws",
		"beam.smp -- -s elixir start_cli -setcookie secret -sname shop@web":                         "shop",
		"beam.smp -- -setcookie secret":                                                             "",
		"beam.smp -s elixir -sname":                                                                 "",
		"mariadbd --defaults-file=/etc/my.cnf":                                                      "",
		"python3":                                                                                   "",
		"ruby " + strings.Repeat("x", 200):                                                          "",
		"node ../server.js":                                                                         "../server.js",
		"node /server.js":                                                                           "server.js",
	} {
		arguments := strings.Split(line, " ")
		if got := Code(arguments[0], arguments); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestInterprets(t *testing.T) {
	for file, want := range map[string]bool{
		"python3.11": true, "perl": true, "bun.exe": true, "mariadbd": false, "": false,
	} {
		if got := Interprets(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}

func TestCodeWithoutArguments(t *testing.T) {
	if got := Code("java", nil); got != "" {
		t.Errorf("%q", got)
	}
}
