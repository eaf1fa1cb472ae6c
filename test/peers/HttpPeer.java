import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.*;
import java.nio.charset.StandardCharsets;

/** Makes calls as a Java program does, with both clients of the JDK as they come, and prints a line `name status version` for each. */
public class HttpPeer {
  static String base, project, key;
  static final HttpClient client = HttpClient.newHttpClient(); // offers HTTP/2 by Upgrade on plain http

  public static void main(String[] args) throws Exception {
    base = args[0];
    project = args[1];
    key = args[2];
    report("get", request("/api").GET());
    report("again", request("/api").GET());
    report("length", json().POST(BodyPublishers.ofString(person("java-length"))));
    report("chunked", json().POST(BodyPublishers.ofInputStream(() -> bytes(person("java-chunked")))));
    report("large", json().POST(BodyPublishers.ofInputStream(() -> bytes(" ".repeat(200_000) + person("java-large")))));
    report("continue", json().expectContinue(true).POST(BodyPublishers.ofString(person("java-continue"))));
    report("refused", request("/api/projects/" + project + "/nowhere").POST(BodyPublishers.noBody()));
    stream();
    old("old-get", "GET", "/api", null);
    old("old-chunked", "POST", "/api/projects/" + project + "/participants", person("java-old"));
  }

  static void report(String name, HttpRequest.Builder request) throws Exception {
    var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    System.out.println(name + " " + response.statusCode() + " " + response.version());
  }

  /** Opens an event stream, causes an event and waits for it. */
  static void stream() throws Exception {
    var path = "/api/projects/" + project + "/events/stream?types=participant.created";
    var response = client.send(request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
    System.out.println("stream " + response.statusCode() + " " + response.version());
    report("caused", json().POST(BodyPublishers.ofString(person("java-stream"))));
    var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine())
      if (line.startsWith("data:") && line.contains("java-stream")) {
        System.out.println("event 200 HTTP_1_1");
        break;
      }
    response.body().close();
  }

  static void old(String name, String method, String path, String body) throws Exception {
    var connection = (HttpURLConnection) new URL(base + path).openConnection();
    connection.setRequestMethod(method);
    connection.setRequestProperty("X-API-Key", key);
    if (body != null) {
      connection.setDoOutput(true);
      connection.setChunkedStreamingMode(0);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
    }
    System.out.println(name + " " + connection.getResponseCode() + " HTTP_1_1");
  }

  static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).header("X-API-Key", key);
  }

  static HttpRequest.Builder json() {
    return request("/api/projects/" + project + "/participants").header("Content-Type", "application/json");
  }

  static String person(String id) {
    return "{\"externalUserId\":\"" + id + "\"}";
  }

  static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
