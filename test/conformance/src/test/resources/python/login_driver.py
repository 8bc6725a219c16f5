"""PyMongo, which connects as each case says and prints what comes of it. Run as: python3 login_driver.py CASES"""

import json
import sys
from collections import OrderedDict

from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError


def attempt(uri, database, commands):
    client = None
    try:
        client = MongoClient(uri)
        reply = None
        for command in commands:
            reply = client[database].command(command)
        return {"reply": reply}
    except OperationFailure as e:
        return {"code": e.code, "message": str(e)}
    except PyMongoError as e:
        return {"message": str(e)}
    finally:
        if client is not None:
            client.close()


with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file, object_pairs_hook=OrderedDict)["cases"]
for case in cases:
    print("OUTCOME", json.dumps(attempt(**case), default=str), flush=True)
