@tool
extends EditorPlugin
## Adds the singleton `Earshot`, the client of the player.


func _enable_plugin() -> void:
	add_autoload_singleton("Earshot", "res://addons/earshot/player_client.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton("Earshot")
