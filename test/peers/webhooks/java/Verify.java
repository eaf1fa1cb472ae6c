import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Verifies the body on standard input: Verify SECRET ID TIMESTAMP SIGNATURE. Prints `verified`, or why not. */
public class Verify {
  public static void main(String[] arguments) throws Exception {
    String body = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    var headers = Map.of(
        "webhook-id", List.of(arguments[1]),
        "webhook-timestamp", List.of(arguments[2]),
        "webhook-signature", List.of(arguments[3]));
    try {
      new Webhook(arguments[0]).verify(body, headers);
      System.out.println("verified");
    } catch (WebhookVerificationException refusal) {
      System.out.println("refused: " + refusal.getMessage());
    }
  }
}
