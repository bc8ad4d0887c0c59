// The test's streams, served by Node itself, logged by morgan and pino-http.
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const morgan = require('morgan');
const pino = require('pino-http');

const [port, folder] = process.argv.slice(2);
const to = (name) => fs.createWriteStream(`${folder}/${name}`, { flags: 'a' });
const timed =
  ':remote-addr - :remote-user [:date[clf]] ' +
  '":method :url HTTP/:http-version" :status :res[content-length] ' +
  '":referrer" ":user-agent" :total-time ms';
const byMorgan = morgan(timed, { stream: to('morgan.log') });
const byPino = pino({}, to('pino.log'));

function serve(request, response) {
  const query = new URL(request.url, 'http://test').searchParams;
  const [lasts, ping] = ['lasts', 'ping'].map((key) => Number(query.get(key)));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': open\n\n');
  const beat = ping && setInterval(() => response.write(': ping\n\n'), ping);
  const end = setTimeout(() => response.end(), lasts);
  response.on('close', () => {
    clearInterval(beat);
    clearTimeout(end);
  });
}

http
  .createServer((request, response) => {
    byPino(request, response);
    byMorgan(request, response, () => serve(request, response));
  })
  .listen(Number(port), '127.0.0.1');
