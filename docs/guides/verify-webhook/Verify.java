// java Verify.java <secret> <signature header> <body file> [event id] [timestamp] [now]
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
  private static final long TOLERANCE_SECONDS = 300;

  private static byte[] sign(String secret, String prefix, byte[] body) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    mac.update(prefix.getBytes(UTF_8));
    return mac.doFinal(body);
  }

  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static boolean anySame(String expected, String[] entries) {
    boolean found = false;
    for (String entry : entries) found |= same(expected, entry);
    return found;
  }

  private static boolean fresh(String timestamp, long now) {
    return timestamp.matches("[0-9]{1,12}") && Math.abs(now - Long.parseLong(timestamp)) <= TOLERANCE_SECONDS;
  }

  /** X-Service-Signature of version v1: {@code v1=<hex>} over the raw body. */
  public static boolean verifyV1(String secret, byte[] body, String signature) throws GeneralSecurityException {
    return same("v1=" + HexFormat.of().formatHex(sign(secret, "", body)), signature);
  }

  /** X-Service-Signature of version v2: {@code t=<unix seconds>,v2=<hex>[,v2=<hex>]} over {@code <event id>.<t>.<raw body>}. */
  public static boolean verifyV2(String secret, byte[] body, String signature, String eventId, long now)
      throws GeneralSecurityException {
    String[] entries = signature.split(",");
    String timestamp = entries[0].startsWith("t=") ? entries[0].substring(2) : "";
    if (!fresh(timestamp, now)) return false;
    String expected = "v2=" + HexFormat.of().formatHex(sign(secret, eventId + "." + timestamp + ".", body));
    return anySame(expected, Arrays.copyOfRange(entries, 1, entries.length));
  }

  /**
   * webhook-signature of Standard Webhooks: {@code v1,<base64>[ v1,<base64>]} over
   * {@code <webhook-id>.<webhook-timestamp>.<raw body>}.
   */
  public static boolean verifyStandard(
      String secret, byte[] body, String signature, String id, String timestamp, long now)
      throws GeneralSecurityException {
    if (!fresh(timestamp, now)) return false;
    String expected = "v1," + Base64.getEncoder().encodeToString(sign(secret, id + "." + timestamp + ".", body));
    return anySame(expected, signature.split(" "));
  }

  public static void main(String[] args) throws Exception {
    String secret = args[0];
    String signature = args[1];
    byte[] body = Files.readAllBytes(Path.of(args[2]));
    String id = args.length > 3 ? args[3] : "";
    String timestamp = args.length > 4 ? args[4] : "";
    long now = args.length > 5 ? Long.parseLong(args[5]) : System.currentTimeMillis() / 1000;
    // Your endpoint calls the one check that it is set up for; this program looks at the shape to be shorter.
    boolean valid;
    if (signature.startsWith("v1,")) valid = verifyStandard(secret, body, signature, id, timestamp, now);
    else if (signature.startsWith("t=")) valid = verifyV2(secret, body, signature, id, now);
    else valid = verifyV1(secret, body, signature);
    System.out.println(valid ? "valid" : "invalid");
    System.exit(valid ? 0 : 1);
  }
}
