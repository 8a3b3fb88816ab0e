#!/usr/bin/env python3
"""Races on a hairpin server (docs/PROTOCOL.md) with nothing but Python, and tells what happens.

    client.py http://127.0.0.1:8080                  a race against two bots
    client.py http://127.0.0.1:8080 --join ID --seat 1"""
import argparse
import base64
import json
import os
import random
import socket
import ssl
import time
import urllib.parse
import urllib.request

WORTH = {"cool": 9, "adrenaline": 7, "slip": 5, "done": 3, "stay": 2, "keep": 2, "discard": 1, "boost": 0}


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Live:
    """A WebSocket: HTTP to begin with, then frames of a few bytes of head and a text."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self.socket = socket.create_connection((parts.hostname, port), 60)
        if parts.scheme == "https":
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=parts.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise ConnectionError("the server does not let us in")
        while self.file.readline().strip():
            pass

    def send(self, text, opcode=1):
        mask = os.urandom(4)  # what a client sends is masked; our lines are short
        payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(text.encode()))
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + payload)

    def take(self, size):
        data = self.file.read(size)
        if len(data) < size:
            raise ConnectionError("the connection is lost")
        return data

    def messages(self):
        text = b""
        while True:
            first, size = self.take(2)
            if size > 125:
                size = int.from_bytes(self.take(2 if size == 126 else 8), "big")
            payload = self.take(size)
            if first & 15 == 8:
                raise ConnectionError(f"the server hung up ({int.from_bytes(payload[:2], 'big')})")
            if first & 15 == 9:
                self.send(payload.decode(), opcode=10)  # it asks whether we are alive
            elif first & 15 in (0, 1):
                text += payload
                if first & 0x80:
                    yield json.loads(text)
                    text = b""


def tell(event, name):
    """One event in English; most of them are of no interest here."""
    kind, who = event["e"], name(event.get("car", 0))
    if kind == "round":
        print(f"Round {event['n']}: " + ", ".join(map(name, event["order"])))
    elif kind == "move":
        print(f"  {who} moves by {event['to']['at'] - event['from']['at']} ({event['why']})")
    elif kind == "spin":
        print(f"  {who} spins out!")
    elif kind == "finish":
        print(f"  {who} crosses the finish line: place {event['place']}")
    elif kind == "retire":
        print(f"  {who} retires")


def choose(view, acts):
    """A plan at about the limit of the next corner, without Heat; after that whatever cools."""
    def worth(act):
        word, *rest = act.split()
        if word != "plan":
            return WORTH.get(word, -99)
        speed = sum(2 if card == "S" else int(card) for card in rest[1:] if card != "H")
        return -100 if "H" in rest else speed if speed <= limit else limit - 2 * (speed - limit)

    at = view["cars"][view["seat"]]["at"]
    ahead = [corner for corner in view["corners"] if 0 <= corner["after"] - at % view["spaces"] < 10]
    limit = ahead[0]["limit"] if ahead else 15
    return max(acts, key=lambda act: (worth(act), random.random()))


def race(base, table, seat, token):
    last, tries = 0, 0
    while True:
        try:
            live = Live(f"{base}/api/tables/{table}/live")
            live.send(f"seat {token} {last}")
            for message in live.messages():
                tries = 0
                if message["m"] == "entry":
                    last = message["n"]
                    for event in message.get("events", []):
                        tell(event, lambda car: f"car {car}" + (" (you)" if car == seat else ""))
                elif message["m"] == "state":
                    notice, view = message["table"], message.get("view")
                    if notice["phase"] == "over":
                        names = [each.get("name", each.get("level")) for each in notice["seats"]]
                        print("Places: " + ", ".join(f"{names[car]} (car {car})" for car in notice["places"]))
                        return
                    if any(each["seat"] == seat for each in notice["awaited"]) and "acts" in message:
                        live.send(f"act {last} {choose(view, message['acts'])}")
                elif message["m"] == "error" and message["code"] != "old":  # an act that came twice
                    print("The server says:", message["text"])
        except OSError as trouble:
            tries += 1
            if tries > 10:
                raise
            print(f"Trying again, from entry {last}: {trouble}")
            time.sleep(min(5, 0.1 * 2 ** tries))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("--join", metavar="ID", help="a table that waits for people")
    parser.add_argument("--seat", type=int, default=1)
    parser.add_argument("--name", default="Python")
    given = parser.parse_args()
    base = given.server.rstrip("/")
    person = {"name": given.name, "colour": "green", "salt": os.urandom(32).hex()}
    if given.join:
        table = given.join
        taken = post(f"{base}/api/tables/{table}/seats/{given.seat}", person)
    else:
        bots = [{"kind": "bot", "level": "rookie"}, {"kind": "bot", "level": "driver"}]
        opened = post(f"{base}/api/tables", {"circuit": "usa", "laps": 1, "seats": [{"kind": "person", **person}, *bots]})
        table, taken = opened["id"], opened["tokens"][0]
    print(f"Table {table}, car {taken['seat']}")
    race(base, table, taken["seat"], taken["token"])


if __name__ == "__main__":
    main()
