tool
extends EditorPlugin
## Adds the singleton `Earshot`, the client of the player.


func enable_plugin() -> void:
	add_autoload_singleton("Earshot", "res://addons/earshot/player_client.gd")


func disable_plugin() -> void:
	remove_autoload_singleton("Earshot")
