// Program percall serves one call a given number of times in process, for
// whoever counts its instructions: percall parley net/http "ten fields" 2000.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/parleymcp/parley/interop/contest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("percall: %d arguments, want contestant, framework, call and count", len(args))
	}
	count, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	for _, c := range []contest.Call{contest.Small(), contest.Ten()} {
		if c.Name != args[2] {
			continue
		}
		e, ok := contest.Contestant(args[0], args[1], &c)
		if !ok {
			return fmt.Errorf("percall: nobody is %q on %q", args[0], args[1])
		}
		d := contest.NewDriver(e, &c)
		if err := d.Check(); err != nil {
			return err
		}
		for range count {
			if err := d.Serve(); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("percall: no call is named %q", args[2])
}
