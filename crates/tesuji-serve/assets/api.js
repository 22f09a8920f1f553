// Requests to the server.

async function answer(response) {
  if (response.ok) return response.json();
  let message = response.statusText;
  try { message = (await response.json()).error; } catch { /* no JSON */ }
  throw new Error(message);
}

export async function get(path, query) {
  return answer(await fetch(path + (query ? "?" + new URLSearchParams(query) : "")));
}

/** A document of XML. */
export function xml(path, query) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("GET", path + "?" + new URLSearchParams(query));
    request.responseType = "document";
    request.onload = () => request.responseXML ? done(request.responseXML) : fail(new Error(request.statusText));
    request.onerror = () => fail(new Error("the server does not answer"));
    request.send();
  });
}

const posted = (body, signal) => ({
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
});

export async function post(path, body) {
  return answer(await fetch(path, posted(body)));
}

/** Sends the bytes of an SGF file. */
export async function postSgf(path, file) {
  return answer(await fetch(path, { method: "POST", headers: { "Content-Type": "application/x-go-sgf" }, body: file }));
}

/** Calls `hear` with each event of a stream, and `fail` if it ends by itself; returns a function that ends it. */
export function stream(path, body, hear, fail) {
  const ending = new AbortController();
  (async () => {
    const response = await fetch(path, body ? posted(body, ending.signal) : { signal: ending.signal });
    if (!response.ok) await answer(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error("the search is gone, or the server has stopped");
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        const data = event.split("\n").filter(line => line.startsWith("data:")).map(line => line.slice(5).trimStart());
        if (data.length > 0) hear(JSON.parse(data.join("\n")));
      }
    }
  })().catch(error => { if (error.name !== "AbortError") fail?.(error); });
  return () => ending.abort();
}
