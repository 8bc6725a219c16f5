// A shop with customers: inserts a few orders a second until it is stopped. See dashboard.js.
'use strict';

const { MongoClient } = require('mongodb');
const { DEFAULT_URI } = require('./dashboard.js');

const PRICES = { bread: 390, cheese: 720, honey: 650, apples: 280, coffee: 990 };

async function run(uri) {
  const client = await MongoClient.connect(uri);
  const orders = client.db('shop').collection('orders');
  for (;;) {
    const products = Object.keys(PRICES);
    const product = products[Math.floor(Math.random() * products.length)];
    await orders.insertOne({ product, cents: PRICES[product], at: new Date() });
    console.log(`sold ${product}`);
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
  }
}

run(process.argv[2] ?? DEFAULT_URI).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
