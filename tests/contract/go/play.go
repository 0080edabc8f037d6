// Plays a game of each variant through the client that openapi-generator makes for Go.
//
// It imports only the generated package. Its argument is the URL of the service.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"os"

	openapi "lostcities"
)

// game has what the games of all variants have.
type game interface {
	GetToAct() []openapi.Actor
	GetVersion() int32
}

// created is a new game with its tokens.
type created interface {
	game
	GetId() string
	GetTokens() openapi.Tokens
}

func check(err error) {
	if err == nil {
		return
	}
	if answer, ok := err.(*openapi.GenericOpenAPIError); ok {
		log.Fatalf("%v: %s", err, answer.Body())
	}
	log.Fatal(err)
}

// converted is the value as another type that has the same JSON.
func converted[To any](value any) To {
	var to To
	text, err := json.Marshal(value)
	check(err)
	check(json.Unmarshal(text, &to))
	return to
}

func newGame(variant string) openapi.NewGame {
	ann, ben := "Ann", "Ben"
	turns := int32(40)
	switch variant {
	case "duel":
		game := openapi.NewNewDuel(
			[]openapi.DuelPlayer{openapi.StringAsDuelPlayer(&ann), openapi.StringAsDuelPlayer(&ben)}, openapi.DUEL)
		game.SetOptions(openapi.DuelOptions{MaxTurns: *openapi.NewNullableInt32(&turns)})
		return openapi.NewDuelAsNewGame(game)
	case "rivals":
		game := openapi.NewNewRivals(
			[]openapi.RivalsPlayer{openapi.StringAsRivalsPlayer(&ann), openapi.StringAsRivalsPlayer(&ben)}, openapi.RIVALS)
		return openapi.NewRivalsAsNewGame(game)
	case "roll-and-write":
		game := openapi.NewNewRollAndWrite(
			[]openapi.RollAndWritePlayer{
				openapi.StringAsRollAndWritePlayer(&ann), openapi.StringAsRollAndWritePlayer(&ben)},
			openapi.ROLL_AND_WRITE)
		return openapi.NewRollAndWriteAsNewGame(game)
	default:
		game := openapi.NewNewTreasureHunt(
			[]openapi.TreasureHuntPlayer{
				openapi.StringAsTreasureHuntPlayer(&ann), openapi.StringAsTreasureHuntPlayer(&ben)},
			openapi.TREASURE_HUNT)
		game.SetOptions(openapi.TreasureHuntOptions{MaxTurns: *openapi.NewNullableInt32(&turns)})
		return openapi.NewTreasureHuntAsNewGame(game)
	}
}

// chosen is one of the listed moves as a request.
func chosen(legal *openapi.LegalMoves) openapi.MovesRequest {
	switch moves := legal.GetActualInstance().(type) {
	case *openapi.DuelLegalMoves:
		return oneOf(moves.Moves)
	case *openapi.RivalsLegalMoves:
		return oneOf(moves.Moves)
	case *openapi.RollAndWriteLegalMoves:
		return oneOf(moves.Moves)
	default:
		return oneOf(moves.(*openapi.TreasureHuntLegalMoves).Moves)
	}
}

func oneOf[Move any](moves []Move) openapi.MovesRequest {
	return converted[openapi.MovesRequest](moves[rand.Intn(len(moves))])
}

func play(client *openapi.APIClient, variant string) {
	context_ := context.Background()
	wish := newGame(variant)
	answer, _, err := client.GamesAPI.CreateGame(context_).NewGame(wish).Execute()
	check(err)
	begun := answer.GetActualInstance().(created)
	id, tokens := begun.GetId(), begun.GetTokens().Seats
	now := game(begun)
	for len(now.GetToAct()) > 0 {
		seat := *now.GetToAct()[rand.Intn(len(now.GetToAct()))].Int32
		as := context.WithValue(context_, openapi.ContextAccessToken, *tokens[seat])
		legal, _, err := client.GamesAPI.ListMoves(as, id).Execute()
		check(err)
		move := chosen(legal)
		judged, _, err := client.GamesAPI.CheckMoves(as, id).MovesRequest(move).Execute()
		check(err)
		if !judged.Legal {
			log.Fatal(judged.Problem.Detail)
		}
		acted, _, err := client.GamesAPI.MakeMoves(as, id).MovesRequest(move).Include(
			[]openapi.Included{openapi.INCLUDED_MOVES, openapi.INCLUDED_SCORE}).Execute()
		check(err)
		now = acted.Game.GetActualInstance().(game)
	}
	score, _, err := client.GamesAPI.GetScore(context_, id).Execute()
	check(err)
	if !score.GetActualInstance().(interface{ GetFinal() bool }).GetFinal() {
		log.Fatal("not over")
	}
	fmt.Printf("%s: finished after %d events\n", variant, now.GetVersion())
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Args[1]}}
	client := openapi.NewAPIClient(configuration)
	known, _, err := client.VariantsAPI.ListVariants(context.Background()).Execute()
	check(err)
	for _, each := range known.Variants {
		_, _, err := client.VariantsAPI.GetVariant(context.Background(), each.Variant).Execute()
		check(err)
		play(client, each.Variant)
	}
}
