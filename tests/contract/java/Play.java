import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.VariantsApi;
import org.openapitools.client.model.*;

/**
 * Plays a game of each variant through the client that openapi-generator makes for Java.
 *
 * It imports only the generated packages and the library that they use. Its argument is the URL of the service.
 */
public class Play {
  private static final Random RANDOM = new Random(7);
  private static String url;

  /** The calls of an API with a token, or without one. */
  private static ApiClient client(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  /** The JSON of a value of any variant. */
  private static JsonNode tree(Object value) {
    return JSON.getDefault().getMapper().valueToTree(value);
  }

  private static NewGame newGame(String variant) {
    return switch (variant) {
      case "duel" -> new NewGame(new NewDuel()
          .variant(DuelName.DUEL)
          .players(List.of(new DuelPlayer("Ann"), new DuelPlayer("Ben")))
          .options(new DuelOptions().maxTurns(40)));
      case "rivals" -> new NewGame(new NewRivals()
          .variant(RivalsName.RIVALS)
          .players(List.of(new RivalsPlayer("Ann"), new RivalsPlayer("Ben"))));
      case "roll-and-write" -> new NewGame(new NewRollAndWrite()
          .variant(RollAndWriteName.ROLL_AND_WRITE)
          .players(List.of(new RollAndWritePlayer("Ann"), new RollAndWritePlayer("Ben"))));
      default -> new NewGame(new NewTreasureHunt()
          .variant(TreasureHuntName.TREASURE_HUNT)
          .players(List.of(new TreasureHuntPlayer("Ann"), new TreasureHuntPlayer("Ben")))
          .options(new TreasureHuntOptions().maxTurns(40)));
    };
  }

  /** One of the listed moves as a request. */
  private static MovesRequest chosen(LegalMoves legal) {
    Object listed = legal.getActualInstance();
    List<? extends AbstractOpenApiSchema> moves;
    if (listed instanceof DuelLegalMoves of) moves = of.getMoves();
    else if (listed instanceof RivalsLegalMoves of) moves = of.getMoves();
    else if (listed instanceof RollAndWriteLegalMoves of) moves = of.getMoves();
    else moves = ((TreasureHuntLegalMoves) listed).getMoves();
    MovesRequest request = new MovesRequest();
    request.setActualInstance(moves.get(RANDOM.nextInt(moves.size())).getActualInstance());
    return request;
  }

  private static void play(String variant) throws ApiException {
    JsonNode game = tree(new GamesApi(client(null)).createGame(newGame(variant), null, null, null));
    String id = game.get("id").asText();
    List<GamesApi> seats = new ArrayList<>();
    for (JsonNode token : game.get("tokens").get("seats")) seats.add(new GamesApi(client(token.asText())));
    while (!game.get("to_act").isEmpty()) {
      GamesApi seat = seats.get(game.get("to_act").get(RANDOM.nextInt(game.get("to_act").size())).asInt());
      MovesRequest move = chosen(seat.listMoves(id, null, null, null, null));
      if (!seat.checkMoves(id, move, null, null, null, null, null).getLegal()) throw new IllegalStateException("not legal");
      Set<Included> included = Set.of(Included.INCLUDED_MOVES, Included.INCLUDED_SCORE);
      game = tree(seat.makeMoves(id, move, null, null, included, null, null, null).getGame());
    }
    GamesApi spectator = new GamesApi(client(null));
    if (!tree(spectator.getScore(id, null, null, null, null)).get("final").asBoolean()) {
      throw new IllegalStateException("not over");
    }
    spectator.getRecord(id, null);
    System.out.println(variant + ": finished after " + game.get("version") + " events");
  }

  public static void main(String[] arguments) throws ApiException {
    url = arguments[0];
    VariantsApi variants = new VariantsApi(client(null));
    for (VariantSummary each : variants.listVariants(null, null).getVariants()) {
      variants.getVariant(each.getVariant(), null, null);
      play(each.getVariant());
    }
  }
}
