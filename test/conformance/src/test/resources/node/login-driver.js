// The Node.js driver, which connects as each case says and prints what comes of it.
// Run as: node login-driver.js CASES, with the package 'mongodb' on NODE_PATH.
'use strict';

const fs = require('fs');
const { BSON, MongoClient } = require('mongodb');

async function attempt({ uri, database, commands }) {
  const client = new MongoClient(uri);
  try {
    let reply;
    for (const command of commands) {
      reply = await client.db(database).command(command);
    }
    return { reply };
  } catch (e) {
    return { code: e.code, message: `${e}` };
  } finally {
    await client.close();
  }
}

async function main() {
  const { cases } = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
  for (const each of cases) {
    console.log(`OUTCOME ${BSON.EJSON.stringify(await attempt(each))}`);
  }
}

main().catch((e) => {
  console.error(e);
  process.exitCode = 1;
});
