"""Games of other libraries. Each module has a game for every name that its library knows:

``tesuji.Game("python:tesuji.adapters.openspiel.connect_four")`` and
``tesuji.Game("python:tesuji.adapters.zoo.connect_four_v3")``. These names work in matches, experiment files and records.
"""
