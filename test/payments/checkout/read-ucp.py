"""Read documents of UCP with the models of its authors: exits with 1 and says what is wrong."""

import json
import sys

from ucp_sdk.models.schemas.profile import BusinessSchema
from ucp_sdk.models.schemas.shopping.checkout import Checkout

models = {"profile": BusinessSchema, "checkout": Checkout}
for kind, document in json.load(sys.stdin):
    models[kind].model_validate(document)
