// A live dashboard: what a shop sells, in the browser, while it sells it.
//
//   npm install && node dashboard.js [URI] [PORT]     then open http://localhost:8080
//   node shop.js [URI]                                in another terminal: orders come in
//
// The page shows sums by product. They are computed once, and then follow a change stream: no query
// is repeated. The sums and the stream begin at the same time, so no order is missed or counted twice.
'use strict';

const http = require('http');
const path = require('path');
const fs = require('fs');
const { MongoClient } = require('mongodb');

const DEFAULT_URI = 'mongodb://localhost:27017,localhost:27018,localhost:27019/?replicaSet=rs0';

/** Sums by product that follow the orders; calls onChange after each event. */
class Totals {
  constructor(client, onChange) {
    this.client = client;
    this.orders = client.db('shop').collection('orders');
    this.onChange = onChange;
    this.byProduct = new Map();
  }

  async start() {
    // Everything up to the time of the snapshot is in the sums, everything after it in the stream.
    const session = this.client.startSession({ snapshot: true });
    try {
      const sums = await this.orders
        .aggregate(
          [{ $group: { _id: '$product', orders: { $sum: 1 }, cents: { $sum: '$cents' } } }],
          { session },
        )
        .toArray();
      sums.forEach(({ _id, orders, cents }) => this.byProduct.set(_id, { orders, cents }));
      this.time = session.snapshotTime;
    } finally {
      await session.endSession();
    }
    // The driver resumes the stream by itself when a member fails.
    this.stream = this.orders.watch([{ $match: { operationType: 'insert' } }], {
      startAtOperationTime: this.time,
    });
    this.following = this.follow();
  }

  async follow() {
    for await (const event of this.stream) {
      if (event.clusterTime.compare(this.time) > 0) {
        this.add(event.fullDocument);
        this.onChange(this.rows());
      }
    }
  }

  add({ product, cents }) {
    const sums = this.byProduct.get(product) ?? { orders: 0, cents: 0 };
    this.byProduct.set(product, { orders: sums.orders + 1, cents: sums.cents + cents });
  }

  rows() {
    return [...this.byProduct]
      .map(([product, sums]) => ({ product, ...sums }))
      .sort((a, b) => b.cents - a.cents);
  }

  async close() {
    // Closing the stream may end the loop with an error, which is expected from here on.
    const ended = this.following.catch(() => {});
    await this.stream.close();
    await ended;
  }
}

/** Serves the page, and the rows as server-sent events. Returns the port and how to stop. */
async function start(uri, port) {
  const client = await MongoClient.connect(uri);
  const browsers = new Set();
  const send = (browser, rows) => browser.write(`data: ${JSON.stringify(rows)}\n\n`);
  const totals = new Totals(client, (rows) =>
    browsers.forEach((browser) => send(browser, rows)),
  );
  await totals.start();

  const server = http.createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      browsers.add(response);
      request.on('close', () => browsers.delete(response));
      send(response, totals.rows());
    } else if (request.url === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      fs.createReadStream(path.join(__dirname, 'index.html')).pipe(response);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(port, 'localhost', resolve));

  const close = async () => {
    server.close();
    server.closeAllConnections();
    await totals.close();
    await client.close();
  };
  return { port: server.address().port, close };
}

module.exports = { start, DEFAULT_URI };

if (require.main === module) {
  start(process.argv[2] ?? DEFAULT_URI, Number(process.argv[3] ?? 8080)).then(
    ({ port }) => console.log(`http://localhost:${port}`),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
