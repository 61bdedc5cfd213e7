// SPDX-License-Identifier: Apache-2.0

// Package dashboards reads the committed dashboards, for the checks on them.
package dashboards

import (
	"encoding/json"
	"fmt"
	"os"
)

// Dashboard is what the checks need of Grafana's classic schema.
type Dashboard struct {
	UID         string   `json:"uid"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Tags        []string `json:"tags"`
	Editable    bool     `json:"editable"`
	Tooltip     int      `json:"graphTooltip"`
	Refresh     string   `json:"refresh"`
	Time        struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"time"`
	Annotations struct {
		List []Annotation `json:"list"`
	} `json:"annotations"`
	Templating struct {
		List []Variable `json:"list"`
	} `json:"templating"`
	Panels []Panel `json:"panels"`
}

// Annotation marks times on the panels.
type Annotation struct {
	Name       string     `json:"name"`
	Datasource Datasource `json:"datasource"`
	Target     Target     `json:"target"`
	TagKeys    string     `json:"tagKeys"`
}

// Variable is a choice at the top of the dashboard.
type Variable struct {
	Name       string     `json:"name"`
	Type       string     `json:"type"`
	Label      string     `json:"label"`
	Multi      bool       `json:"multi"`
	IncludeAll bool       `json:"includeAll"`
	AllValue   string     `json:"allValue"`
	Datasource Datasource `json:"datasource"`
	Definition string     `json:"definition"`
	Regex      string     `json:"regex"`
}

// Datasource refers to a data source.
type Datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

// Panel is a panel or a row; a collapsed row holds its panels.
type Panel struct {
	ID            int        `json:"id"`
	Type          string     `json:"type"`
	Title         string     `json:"title"`
	Description   string     `json:"description"`
	Grid          Grid       `json:"gridPos"`
	Collapsed     bool       `json:"collapsed"`
	Repeat        string     `json:"repeat"`
	MaxDataPoints int        `json:"maxDataPoints"`
	Datasource    Datasource `json:"datasource"`
	Targets       []Target   `json:"targets"`
	Transforms    []struct {
		ID      string `json:"id"`
		Options struct {
			Rename map[string]string `json:"renameByName"`
		} `json:"options"`
	} `json:"transformations"`
	Options struct {
		View string `json:"view"`
	} `json:"options"`
	FieldConfig struct {
		Defaults  Field      `json:"defaults"`
		Overrides []Override `json:"overrides"`
	} `json:"fieldConfig"`
	Panels []Panel `json:"panels"`
}

// Grid is a panel's place in the grid of 24 columns.
type Grid struct{ X, Y, W, H int }

// Field is how values are shown.
type Field struct {
	Unit       string `json:"unit"`
	Thresholds struct {
		Steps []Step `json:"steps"`
	} `json:"thresholds"`
}

// Step is a threshold; the lowest one has no value.
type Step struct {
	Value *float64 `json:"value"`
	Color string   `json:"color"`
}

// Override shows some fields otherwise.
type Override struct {
	Matcher struct {
		ID      string `json:"id"`
		Options string `json:"options"`
	} `json:"matcher"`
	Properties []struct {
		ID    string          `json:"id"`
		Value json.RawMessage `json:"value"`
	} `json:"properties"`
}

// Target is a query.
type Target struct {
	RefID      string     `json:"refId"`
	Expr       string     `json:"expr"`
	Datasource Datasource `json:"datasource"`
	Instant    bool       `json:"instant"`
	Range      bool       `json:"range"`
	Format     string     `json:"format"`
	Interval   string     `json:"interval"`
}

// Load reads a dashboard.
func Load(path string) (*Dashboard, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d Dashboard
	if err := json.Unmarshal(content, &d); err != nil {
		return nil, fmt.Errorf("%s: %v", path, err)
	}
	if d.UID == "" || len(d.Panels) == 0 {
		return nil, fmt.Errorf("%s is not a dashboard: it has no uid or no panels", path)
	}
	return &d, nil
}

// Leaves are the panels that show something, those of collapsed rows too.
func (d *Dashboard) Leaves() []Panel {
	var leaves []Panel
	for _, p := range d.Panels {
		if p.Type != "row" {
			leaves = append(leaves, p)
		}
		leaves = append(leaves, p.Panels...)
	}
	return leaves
}
