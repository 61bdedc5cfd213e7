// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Prometheus is a running server.
type Prometheus struct {
	*Process
	URL string
	API v1.API
}

// Prometheus starts a server under a name of its own and waits until it answers.
func (b *Bed) Prometheus(name, binary, config string) (*Prometheus, error) {
	file, err := b.Write(name+".yml", config)
	if err != nil {
		return nil, err
	}
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	client, err := api.NewClient(api.Config{Address: "http://" + address})
	if err != nil {
		return nil, err
	}
	p := &Prometheus{URL: "http://" + address, API: v1.NewAPI(client)}
	p.Process, err = b.Start(name, binary, "--config.file="+file, "--storage.tsdb.path="+b.Path(name),
		"--web.listen-address="+address, "--log.level=warn")
	if err != nil {
		return nil, err
	}
	return p, WaitFor(30*time.Second, func() error {
		if err := p.Ended(); err != nil {
			return err
		}
		_, err := p.Query("vector(1)")
		return err
	})
}

// RuleFiles is the absolute form of a pattern for a server's configuration; an error if no file is there.
func RuleFiles(pattern string) (string, error) {
	pattern, err := filepath.Abs(pattern)
	if err != nil {
		return "", err
	}
	if found, err := filepath.Glob(pattern); err != nil || len(found) == 0 {
		return "", fmt.Errorf("no rules found: %s", pattern)
	}
	return pattern, nil
}

// Query evaluates an expression now.
func (p *Prometheus) Query(expression string) (model.Vector, error) { return Query(p.API, expression) }

// Query evaluates an expression now on any server.
func Query(server v1.API, expression string) (model.Vector, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	answer, _, _, err := server.Query(ctx, expression, time.Now())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	vector, ok := answer.(model.Vector)
	if !ok {
		return nil, fmt.Errorf("%s: a %s, want a vector", expression, answer.Type())
	}
	return vector, nil
}
