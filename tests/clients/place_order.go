package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	dispatch "github.com/delivery-dispatch/client"
)

var soon = time.Now().Add(time.Hour)

func body(name string, windowEnd time.Time) dispatch.CreateOrderRequest {
	standardized := dispatch.NewStandardized("12 Marina Road, Lagos", "4 Admiralty Way, Lekki", "+2348012345678", soon, soon, windowEnd)
	cart := any(42)
	return *dispatch.NewCreateOrderRequest("1", "api", name, map[string]*any{"cart": &cart}, *standardized)
}

func main() {
	configuration := dispatch.NewConfiguration()
	configuration.Servers = dispatch.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("API_KEY"))
	orders := dispatch.NewAPIClient(configuration).OrdersAPI
	ctx := context.Background()

	created, _, err := orders.CreateOrder(ctx).IdempotencyKey("go-1").CreateOrderRequest(body("go-1", soon.Add(time.Hour))).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("placed", created.Order.Id)
	read, _, err := orders.GetOrder(ctx, created.Order.Id).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("read", read.Order.Id, read.Order.UnifiedJson.Status)
	page, _, err := orders.ListOrders(ctx).Limit(10).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listed", len(page.Orders), "of", page.Total)

	_, answer, err := orders.CreateOrder(ctx).CreateOrderRequest(body("go-2", soon.Add(-time.Hour))).Execute()
	var refused *dispatch.GenericOpenAPIError
	if !errors.As(err, &refused) {
		log.Fatal("it was not refused: ", err)
	}
	problem := refused.Model().(dispatch.Error)
	fmt.Println("refused", answer.StatusCode, problem.Error, problem.Details.GetField())
}
