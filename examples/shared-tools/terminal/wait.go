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

// told ends when the program is told to end. It listens from the start: a
// signal between the line that says where the program listens and [Wait] would
// find nobody.
var told, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)

// Wait waits until the program is told to end, by Ctrl-C or SIGTERM, and ends it
// with end, whose context lasts for 4 seconds. An error of end makes the exit
// code 1. Another signal ends the program at once.
func Wait(end func(ctx context.Context) error) {
	<-told.Done()
	stop()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	err := end(ctx)
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}
