package contest

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// EchoIn is the input of the small call.
type EchoIn struct {
	Text string `json:"text"`
}

// SearchIn has ten fields with bounds, an enum and a nested struct. The two
// spellings of the same rules are those of this library and of jsonschema tags.
type SearchIn struct {
	Query    string   `json:"query" minLength:"1" maxLength:"200"`
	Region   string   `json:"region" enum:"eu,us,apac"`
	Page     int      `json:"page" minimum:"1" maximum:"1000"`
	PerPage  int32    `json:"perPage,omitempty" minimum:"1" maximum:"100"`
	MinPrice float64  `json:"minPrice" minimum:"0" maximum:"100000.5"`
	Exact    bool     `json:"exact"`
	Tags     []string `json:"tags" maxItems:"10"`
	Since    string   `json:"since,omitempty" format:"date"`
	Code     string   `json:"code" pattern:"^[A-Z]{2}[0-9]+$"`
	Where    struct {
		Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
		Lon float64 `json:"lon" minimum:"-180" maximum:"180"`
	} `json:"where"`
}

const tenArguments = `{"query":"red running shoes","region":"eu","page":2,"perPage":50,"minPrice":19.99,"exact":false,` +
	`"tags":["sale","new","men"],"since":"2026-07-28","code":"DE4711","where":{"lat":48.137154,"lon":11.576124}}`

func searched(in SearchIn) string { return in.Query + " in " + in.Region }

// CityIn is the input of the call with a structured result.
type CityIn struct {
	City string `json:"city"`
}

// Weather is a structured result.
type Weather struct {
	City        string   `json:"city"`
	Temperature float64  `json:"temperature"`
	Humidity    int      `json:"humidity"`
	Conditions  string   `json:"conditions"`
	Warnings    []string `json:"warnings"`
}

func weather(in CityIn) Weather {
	return Weather{City: in.City, Temperature: 21.5, Humidity: 60, Conditions: "partly cloudy", Warnings: []string{"wind"}}
}

// What is in the large calls.
type (
	textIn struct {
		Value string `json:"value"`
	}
	treeIn struct {
		Value any `json:"value"`
	}
	rawIn struct {
		Value json.RawMessage `json:"value"`
	}
)

func textSize(in textIn) string { return strconv.Itoa(len(in.Value)) }
func rawSize(in rawIn) string   { return strconv.Itoa(len(in.Value)) }

func treeSize(in treeIn) string {
	list, _ := in.Value.([]any)
	return strconv.Itoa(len(list))
}

// fill names the tools that are only there.
func fill(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("tool_%05d", i)
	}
	return names
}

const fillText = "Does something useful with a text, and says what came of it."
