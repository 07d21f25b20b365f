package terminal

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience is how long a program may take to end.
const patience = 4 * time.Second

// Wait waits until the program is told to end, by Ctrl-C or SIGTERM, and ends it
// with end, whose context lasts for 4 seconds. An error of end makes the exit
// code 1. Another signal ends the program at once.
func Wait(end func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	<-ctx.Done()
	stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	err := end(ctx)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}
