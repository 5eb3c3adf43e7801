"""The values of a Kubernetes Secret are masked, whatever their names."""

import json

import pytest

from shared.secrets.masking import MASK, masked

MANIFEST = """apiVersion: v1
kind: Secret
metadata:
  name: shop
stringData:
  word: zebra-harbor
  note: "two words"
data:
  conf: emVicmE=
---
kind: ConfigMap
data:
  level: debug
"""
SHOWN = MANIFEST.replace("zebra-harbor", MASK).replace("two words", MASK).replace("emVicmE=", MASK)


def test_only_the_data_of_a_kubernetes_secret_is_masked() -> None:
    assert masked(MANIFEST) == SHOWN


def test_it_is_masked_in_the_clusters_field_order_and_in_lists() -> None:
    listed = "items:\n- apiVersion: v1\n  data:\n    conf: emVicmE=\n    more: emVicmE=\n  kind: Secret\n"
    assert masked(listed) == listed.replace("emVicmE=", MASK)


def test_it_is_masked_in_a_line_of_json() -> None:
    assert json.loads(masked(json.dumps({"text": MANIFEST})))["text"] == SHOWN


def test_a_json_manifest_stays_valid() -> None:
    manifest = json.dumps({"kind": "Secret", "data": {"conf": "emVicmE=", "more": "x"}, "type": "Opaque"}, indent=2)
    result = json.loads(masked(manifest))
    assert result == {"kind": "Secret", "data": {"conf": MASK, "more": MASK}, "type": "Opaque"}


@pytest.mark.parametrize(
    "text",
    [
        "kind: Secret\nmetadata:\n  name: shop\n",
        "kind: ConfigMap\ndata:\n  level: debug\n",
        "kind: SecretStore\ndata:\n  level: debug\n",
        "The kind: Secret has\ndata:\n  level: debug\n",
    ],
)
def test_other_manifests_stay(text: str) -> None:
    assert masked(text) == text
