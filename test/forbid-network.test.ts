import { createServer } from "node:http";
import { expect, test } from "vitest";

test("no test reaches the network, loopback works", async () => {
  await expect(fetch("http://example.invalid/")).rejects.toMatchObject({
    cause: { message: "A test tried to reach example.invalid. Valid: this machine only." },
  });
  const server = createServer((_, response) => response.end("here")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
  server.close();
});
